import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Target } from '../../model/plan.ts';
import { mayBeWritten } from './local-context.ts';

const CASES: readonly [why: string, target: Target, allowed: readonly string[], may: boolean][] = [
  ['the sandbox', { kind: 'sandbox' }, [], true],
  ['kind', { kind: 'cluster', name: 'kind-dev' }, [], true],
  ['minikube', { kind: 'cluster', name: 'minikube' }, [], true],
  ['Docker Desktop', { kind: 'cluster', name: 'docker-desktop' }, [], true],
  ['a name that has a local one in it', { kind: 'cluster', name: 'prod-minikube' }, [], false],
  ['any other', { kind: 'cluster', name: 'prod' }, [], false],
  ['one that is listed', { kind: 'cluster', name: 'staging' }, ['staging'], true],
  ['one that begins as a listed one', { kind: 'cluster', name: 'staging-2' }, ['staging'], false],
  ['one without a name: a service account', { kind: 'cluster' }, [''], false],
];
for (const [why, target, allowed, may] of CASES)
  test(`${why} ${may ? 'may' : 'may not'} be written to by a watch`, () =>
    assert.equal(mayBeWritten(target, allowed), may));
