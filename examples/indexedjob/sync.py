"""The hook of IndexedJob: one request as JSON on stdin, one answer as JSON on stdout.

- Index i is the work of the pod <job>-<i>, which finds its number in the variable JOB_INDEX. An index is done when its pod has succeeded.
- At most `parallelism` pods are on their way, the lowest indexes first.
- A pod that failed is deleted and made anew, until its index has failed more than `backoffLimitPerIndex` times. The last one stays, for its logs.
- What is done, and how often an index failed, is in the status, so that nothing is forgotten or done twice when a pod is removed.

The pod carries how many failures came before it. So a failure that is seen twice, or whose status was not written, counts once.
"""

import copy
import json
import sys

FAILURES = "ctl.enisoc.com/failures"


def sync(request):
    job = request["parent"]
    spec = job["spec"]
    pods = pods_by_index(job, request["children"]["Pod.v1"])
    indexes = range(spec.get("completions", 1))
    done = done_indexes(job, pods) & set(indexes)
    failures = failures_by_index(job, pods)
    given_up = {i for i in indexes if i not in done and failures.get(i, 0) > spec.get("backoffLimitPerIndex", 3)}
    ended = done | given_up

    on_their_way = [i for i in indexes if i in pods and i not in ended and not has_failed(pods[i])]
    missing = [i for i in indexes if i not in pods and i not in ended]
    # The room that is left may be less than nothing, where `parallelism` was lowered: then the highest indexes go.
    running = on_their_way[: spec.get("parallelism", 1)]
    started = missing[: max(0, spec.get("parallelism", 1) - len(on_their_way))]
    kept = sorted({i for i in ended if i in pods} | set(running) | set(started))
    return {
        "status": status(on_their_way, done, given_up, failures, len(indexes)),
        "children": [pod(job, i, failures_before(pods[i]) if i in pods else failures.get(i, 0)) for i in kept],
    }


def pods_by_index(job, pods):
    prefix = job["metadata"]["name"] + "-"
    numbered = {name[len(prefix) :]: pod for name, pod in pods.items() if name.startswith(prefix)}
    return {int(number): pod for number, pod in numbered.items() if number.isdecimal()}


def phase(pod):
    return pod.get("status", {}).get("phase", "Pending")


def has_failed(pod):
    return phase(pod) == "Failed"


def done_indexes(job, pods):
    recorded = expand(job.get("status", {}).get("completedIndexes", ""))
    return recorded | {i for i, pod in pods.items() if phase(pod) == "Succeeded"}


def failures_by_index(job, pods):
    failures = {int(i): count for i, count in job.get("status", {}).get("failures", {}).items()}
    for i, pod in pods.items():
        if has_failed(pod):
            failures[i] = max(failures.get(i, 0), failures_before(pod) + 1)
    return failures


def failures_before(pod):
    return int(pod["metadata"].get("annotations", {}).get(FAILURES, "0"))


def pod(job, index, failures):
    made = copy.deepcopy(job["spec"]["template"])
    name = f'{job["metadata"]["name"]}-{index}'
    metadata = made.setdefault("metadata", {})
    metadata["name"] = name
    metadata.setdefault("annotations", {})[FAILURES] = str(failures)
    spec = made.setdefault("spec", {})
    spec.setdefault("restartPolicy", "Never")
    spec["hostname"] = name
    for container in spec.get("containers", []) + spec.get("initContainers", []):
        others = [one for one in container.get("env", []) if one["name"] != "JOB_INDEX"]
        container["env"] = others + [{"name": "JOB_INDEX", "value": str(index)}]
    return {"apiVersion": "v1", "kind": "Pod", **made}


def status(active, done, given_up, failures, completions):
    over = len(done) + len(given_up) == completions
    message = f"{len(done)} of {completions} indexes are done"
    told = {
        "active": len(active),
        "succeeded": len(done),
        "failed": sum(failures.values()),
        "completedIndexes": contract(done),
        "failedIndexes": contract(given_up),
        "conditions": [
            condition("Complete", over and not given_up, message),
            condition("Failed", over and bool(given_up), f"given up: {contract(given_up)}" if given_up else message),
        ],
    }
    if failures:
        told["failures"] = {str(i): count for i, count in sorted(failures.items())}
    return told


def condition(kind, is_true, message):
    reason = "Finished" if is_true else "NotFinished"
    return {"type": kind, "status": "True" if is_true else "False", "reason": reason, "message": message}


def expand(text):
    """ "0-2,5" is {0, 1, 2, 5}. """
    ranges = [part.split("-") for part in text.split(",") if part]
    return {i for ends in ranges for i in range(int(ends[0]), int(ends[-1]) + 1)}


def contract(indexes):
    """ {0, 1, 2, 5} is "0-2,5". """
    ranges = []
    for i in sorted(indexes):
        if ranges and ranges[-1][1] == i - 1:
            ranges[-1][1] = i
        else:
            ranges.append([i, i])
    return ",".join(str(a) if a == b else f"{a}-{b}" for a, b in ranges)


if __name__ == "__main__":
    json.dump(sync(json.load(sys.stdin)), sys.stdout)
