"""Writes requirements.lock (exact versions with digests) and sbom.cdx.json (CycloneDX) from what `uv lock` resolved.

Neither names the address of a registry: where packages come from is for whoever installs them to say.
"""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
WHAT = ("--frozen", "--all-extras", "--no-default-groups", "--no-header")


def exported(uv: str, form: str, *words: str) -> str:
    """What uv exports in a format."""
    return subprocess.run([uv, "export", "--quiet", "--format", form, *WHAT, *words], cwd=ROOT, check=True, capture_output=True, text=True).stdout  # fmt: skip


def without_addresses(bill: str) -> str:
    """The bill of materials with the digest of every file of a package, and no address of one."""
    document = json.loads(bill)
    document["metadata"].pop("timestamp", None)
    document.pop("serialNumber", None)
    for component in document["components"]:
        files = component.pop("externalReferences", [])
        digests = sorted(
            {one["content"] for file in files for one in file.get("hashes", ()) if one["alg"] == "SHA-256"}
        )
        if digests:
            component["properties"] = [{"name": "sfumato:file:sha-256", "value": digest} for digest in digests]
    return json.dumps(document, indent=1) + "\n"


if __name__ == "__main__":
    uv = sys.argv[1]
    (ROOT / "requirements.lock").write_text(
        exported(uv, "requirements-txt", "--no-emit-project", "--no-annotate"), "utf-8"
    )
    (ROOT / "sbom.cdx.json").write_text(without_addresses(exported(uv, "cyclonedx1.5")), "utf-8")
