// Conflicts as the API server tells them.

import type { JsonObject } from '../../kit/json.ts';
import { compareText, goQuote } from './go-text.ts';
import { nameOfId } from './managed-entries.ts';
import type { Conflict } from './managers.ts';
import { showPath } from './path-element.ts';

/** `"kubectl" using apps/v1`, `"scaler" with subresource "scale"`. */
export function showManager(id: string): string {
  const { manager = '', operation, apiVersion = '', subresource } = nameOfId(id);
  const name = subresource ? `${goQuote(manager)} with subresource ${goQuote(subresource)}` : goQuote(manager);
  return operation === 'Update' ? `${name} using ${apiVersion}` : name;
}

export interface ConflictCause extends JsonObject {
  readonly reason: 'FieldManagerConflict';
  readonly message: string;
  readonly field: string;
}

export const conflictCauses = (conflicts: readonly Conflict[]): readonly ConflictCause[] =>
  conflicts.map(({ manager, path }) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with ${showManager(manager)}`,
    field: showPath(path),
  }));

export function conflictMessage(conflicts: readonly Conflict[]): string {
  const [first] = conflicts;
  if (conflicts.length === 1 && first !== undefined)
    return `Apply failed with 1 conflict: conflict with ${showManager(first.manager)}: ${showPath(first.path)}`;
  const byManager = Map.groupBy(conflicts, ({ manager }) => manager);
  const lines = [...byManager.keys()]
    .sort(compareText)
    .flatMap((id) => [
      `conflicts with ${showManager(id)}:`,
      ...(byManager.get(id) ?? []).map(({ path }) => `- ${showPath(path)}`),
    ]);
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join('\n')}`;
}
