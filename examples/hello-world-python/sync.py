"""The hook of hello-world as a plain program: one request as JSON on stdin, one answer as JSON on stdout."""

import json
import sys


def sync(request):
    parent = request["parent"]
    who = parent.get("spec", {}).get("who", "World")
    return {
        "status": {"pods": len(request["children"]["Pod.v1"])},
        "children": [
            {
                "apiVersion": "v1",
                "kind": "Pod",
                "metadata": {"name": parent["metadata"]["name"]},
                "spec": {
                    "restartPolicy": "OnFailure",
                    "containers": [
                        {"name": "hello", "image": "busybox:1.37", "command": ["echo", f"Hello, {who}!"]}
                    ],
                },
            }
        ],
    }


if __name__ == "__main__":
    json.dump(sync(json.load(sys.stdin)), sys.stdout)
