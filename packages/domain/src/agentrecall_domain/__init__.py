"""What memory is and how it decides."""
