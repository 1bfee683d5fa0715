// Quantities are read in schema/, where the matcher of server-side apply compares them too.

export { nanosOf, parseQuantity, QuantityError, resourceAmount } from '../../schema/index.ts';
