import assert from 'node:assert/strict';
import { test } from 'node:test';
import { comparableObjects } from './comparable.ts';

const named = (name: string, annotations: Record<string, string>) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, generateName: 'db-', annotations },
});

test('a short generated name is no part of a longer one, nor of a UID', () => {
  const short = named('db-2', { about: 'db-2 and db-25b4z', uid: '9e7551b1-40d1-4d5c-8adb-2348a4abe10d' });
  const { pods = [] } = comparableObjects({ pods: [short, named('db-25b4z', { about: 'db-25b4z' })] }, 'team');
  const metadata = { name: 'db-*', generateName: 'db-', managedFields: [] };
  assert.deepEqual(
    pods.map((pod) => (pod as unknown as ReturnType<typeof named>).metadata),
    [
      { ...metadata, annotations: { about: 'db-* and db-*', uid: 'UID' } },
      { ...metadata, annotations: { about: 'db-*' } },
    ],
  );
});
