// JSON Schemas of the file formats, for editors and for whoever reads a plan.

import type { JsonObject } from '../kit/json.ts';

export async function definitionSchema(): Promise<JsonObject> {
  const definitions = await import('../definitions/index.ts');
  return definitions.definitionSchema();
}

export async function planSchema(): Promise<JsonObject> {
  const render = await import('../render/index.ts');
  return render.planSchema();
}
