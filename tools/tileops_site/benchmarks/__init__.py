"""Benchmark pages: nights of results in, pages in both languages out.

    opening ─► junit ─► reading ─► placing ─► ratios ─► pages ─► the site
    (folder, archive, branch)       ▲ manifest at the pin

Nothing here runs or imports the library. `python -m tileops_site.benchmarks` is its command line, `hooks` brings the
pages into a build of MkDocs.
"""
