"""Situations: what one does with the things that lessons name, so "in tests" becomes "when writing tests". Light."""

from __future__ import annotations

_BY_DOING = {
    "writing": """
        test spec code script query sql component function method class module handler endpoint controller service
        hook migration doc docs documentation docstring comment readme changelog message regex loop macro template
        page view style css html yaml manifest chart deployment dockerfile workflow pipeline makefile config
        configuration schema resolver reducer selector model serializer validator middleware effect job task worker
        consumer producer listener callback coroutine goroutine thread lambda decorator type interface enum struct
        trait test-case fixture mock benchmark stub parser notebook report email copy translation python typescript
        javascript java kotlin swift go rust ruby php c csharp c++ c# f# bash shell terraform kubernetes k8s sql dbt
        react vue angular svelte widget dialog modal screen layout animation shader adapter command cli plugin extension
        builder factory mapper router assertion snapshot seed playbook dag prompt procedure subquery cte join
    """,
    "handling": """
        amount money currency price date time timestamp timezone password secret token credential error exception
        failure input upload file form request response payload event webhook signal retry timeout session cookie
        user data pii string path url id null nil none value result state header locale coordinate
        encoding phone address duration
    """,
    "calling": "api apis call calls rpc client sdk backend upstream",
    "adding": """
        package dependency library column index field flag toggle route param parameter
        argument env variable
    """,
    "creating": "table bucket topic queue database repo repository",
    "naming": "branch name variable-name identifier constant",
    "making": "commit commits pr prs release",
    "reviewing": "review diff",
    "deploying": "production prod staging rollout",
    "logging": "log logs",
}
DOING = {word: doing for doing, words in _BY_DOING.items() for word in words.split()}
