import { Flags } from '@oclif/core';

/** Each is a Lease that is renewed every two seconds. */
const MOST_SHARDS = 256;

/** Into how many parts the parents are shared: of the daemon, and of whatever prepares its place. */
export const shardsFlag = Flags.custom<number>({
  parse: async (text) => {
    const shards = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (shards >= 1 && shards <= MOST_SHARDS) return shards;
    throw new Error(`--shards: "${text}" is no number from 1 to ${MOST_SHARDS}`);
  },
  helpValue: 'N',
});
