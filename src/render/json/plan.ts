// The plan for programs: docs/formats/plan.v1.md. Same state, same bytes: fixed order of keys, no time, no duration.

import type { Redactor } from '../../diff/index.ts';
import type { JsonObject } from '../../kit/json.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import {
  changesOf,
  type HookCallSummary,
  type ParentPlan,
  type Plan,
  type Result,
  type Step,
} from '../../model/plan.ts';
import { maskDiagnostic, redactorOf } from '../redaction.ts';
import { countActions, countUnchanged } from '../summary.ts';
import { changeToJson, present, refToJson } from './change.ts';
import { PLAN_FORMAT, PLAN_FORMAT_VERSION, PLAN_SCHEMA_ID } from './plan-schema.ts';

export function planToJson(plan: Plan): JsonObject {
  const redactor = redactorOf(plan);
  const { kind, name, serverVersion } = plan.target;
  return {
    format: PLAN_FORMAT,
    formatVersion: PLAN_FORMAT_VERSION,
    $schema: PLAN_SCHEMA_ID,
    target: present({ kind, name, serverVersion }),
    definitions: plan.definitions.map(({ id, digest, file }) => present({ id, digest, file })),
    summary: { ...countActions(changesOf(plan)), unchanged: countUnchanged(plan) },
    inputs: { unchanged: plan.inputsUnchanged, changes: plan.inputs.map((change) => changeToJson(change, redactor)) },
    parents: plan.parents.map((parent) => parentToJson(parent, redactor)),
    diagnostics: plan.diagnostics.map((diagnostic) => diagnosticToJson(diagnostic, redactor)),
  };
}

function parentToJson(parent: ParentPlan, redactor: Redactor): JsonObject {
  return {
    controller: parent.controller,
    parent: refToJson(parent.parent),
    result: resultToJson(parent.result, redactor),
    hookCalls: parent.hookCalls.map(hookCallToJson),
    observed: parent.observed,
    unchanged: parent.unchanged,
    steps: parent.steps.map((step) => stepToJson(step, redactor)),
    diagnostics: parent.diagnostics.map((diagnostic) => diagnosticToJson(diagnostic, redactor)),
  };
}

function stepToJson({ number, waves }: Step, redactor: Redactor): JsonObject {
  return {
    number,
    waves: waves.map(({ name, changes }) => ({
      name,
      changes: changes.map((change) => changeToJson(change, redactor)),
    })),
  };
}

function resultToJson({ kind, waitingOn, resyncAfterSeconds }: Result, redactor: Redactor): JsonObject {
  return present({
    kind,
    waitingOn: waitingOn.map(({ ref, reason }) => ({ ref: refToJson(ref), reason: redactor.text(reason) })),
    resyncAfterSeconds,
  });
}

function hookCallToJson({ id, hookName, hookKind, children }: HookCallSummary): JsonObject {
  return { id, hookName, hookKind, children };
}

function diagnosticToJson(diagnostic: Diagnostic, redactor: Redactor): JsonObject {
  const { severity, code, summary, detail, hint, subject, path, source } = maskDiagnostic(diagnostic, redactor);
  return present({
    severity,
    code,
    summary,
    detail,
    hint,
    subject: subject && refToJson(subject),
    path,
    source:
      source &&
      present({
        file: source.file,
        line: source.line,
        column: source.column,
        endColumn: source.endColumn,
        lineText: source.lineText,
      }),
  });
}
