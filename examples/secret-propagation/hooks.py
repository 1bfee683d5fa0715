"""The hooks of SecretPropagation: python3 hooks.py customize|sync, one request as JSON on stdin, one answer as JSON on stdout.

- Which namespaces get a copy is said by labels: a namespace that gets the label gets the Secret, one that loses it loses the copy.
- While the source is missing the copies stay as they are.
- Nothing is printed but the answer, and the status has no value of a Secret in it.
"""

import json
import sys


def customize(request):
    spec = request["parent"]["spec"]
    return {
        "relatedResources": [
            {"apiVersion": "v1", "resource": "secrets", "namespace": spec["sourceNamespace"], "names": [spec["sourceName"]]},
            {"apiVersion": "v1", "resource": "namespaces", "labelSelector": spec["targetNamespaceLabelSelector"]},
        ]
    }


def sync(request):
    spec = request["parent"]["spec"]
    related = request["related"]
    source = related["Secret.v1"].get(f'{spec["sourceNamespace"]}/{spec["sourceName"]}')
    copies = {copy["metadata"]["namespace"]: copy for copy in request["children"]["Secret.v1"].values()}
    targets = sorted(name for name, one in related["Namespace.v1"].items() if gets_a_copy(one, spec))
    content = {name: source or copies.get(name) for name in targets}
    actual = sum(1 for name in targets if source and name in copies and same(copies[name], source))
    return {
        "status": {
            "expectedCopies": len(targets),
            "actualCopies": actual,
            "conditions": [ready(source, len(targets) - actual)],
        },
        "children": [copy_of(one, spec["sourceName"], name) for name, one in content.items() if one],
    }


def gets_a_copy(namespace, spec):
    metadata = namespace["metadata"]
    return metadata["name"] != spec["sourceNamespace"] and "deletionTimestamp" not in metadata


def copy_of(secret, name, namespace):
    copy = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": name, "namespace": namespace}}
    return copy | {field: secret[field] for field in ("type", "data") if field in secret}


def same(copy, source):
    return all(copy.get(field) == source.get(field) for field in ("type", "data"))


def ready(source, missing):
    if not source:
        return condition("False", "SourceMissing", "the source is not there")
    if missing:
        return condition("False", "Copying", f"copies to be written: {missing}")
    return condition("True", "Copied", "every copy has the content of the source")


def condition(status, reason, message):
    return {"type": "Ready", "status": status, "reason": reason, "message": message}


if __name__ == "__main__":
    hook = {"customize": customize, "sync": sync}[sys.argv[1]]
    json.dump(hook(json.load(sys.stdin)), sys.stdout)
