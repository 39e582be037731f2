"""Everything a person does with the memory."""
