"""Links of the documentation to files outside of docs/, for MkDocs.

On GitHub a page links to ../tests/run. On the site that file is on GitHub: the link becomes an address
there. A link that leads nowhere is a warning, and ends a strict build.
"""

import logging
import os
import re

log = logging.getLogger("mkdocs.hooks.links")
LINK = re.compile(r"\]\((\.\./[^)#\s]*)(#[^)\s]*)?\)")


def on_page_markdown(markdown, page, config, files):
    docs = os.path.abspath(config["docs_dir"])
    root = os.path.dirname(os.path.abspath(config["config_file_path"]))
    here = os.path.dirname(os.path.join(docs, page.file.src_path))

    def link(match):
        target = os.path.normpath(os.path.join(here, match[1]))
        if os.path.commonpath([docs, target]) == docs:
            return match[0]
        if not os.path.exists(target):
            log.warning("%s links to %s, which does not exist", page.file.src_path, match[1])
        kind = "tree" if os.path.isdir(target) else "blob"
        path = os.path.relpath(target, root).replace(os.sep, "/")
        return f"]({config['repo_url'].rstrip('/')}/{kind}/main/{path}{match[2] or ''})"

    return LINK.sub(link, markdown)
