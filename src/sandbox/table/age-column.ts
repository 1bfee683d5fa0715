import { formatAge } from './age.ts';
import { type Column, column } from './cells.ts';

export const AGE: Column = column('Age', (object, now) => formatAge(object.metadata.creationTimestamp, now), {
  description: 'Time since the object was created.',
});

/** In the place of an age: kubectl makes an age of it, or shows the time. */
export const CREATED_AT: Column = column('Created At', (object) => object.metadata.creationTimestamp ?? null, {
  type: 'date',
});
