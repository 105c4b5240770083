import { z } from 'zod';
import { pairs } from '../../forms/forms.ts';
import { rate } from '../../forms/numbers.ts';

export const scenarioNames = ['everyday', 'first-day', 'quiet-faults'] as const;

export const simulator = {
  SIMULATOR_SEED: z.coerce
    .number()
    .int()
    .default(1)
    .describe(
      'The simulated warehouse: the seed of its run, and how often events are doubled, reordered, late or dropped (0 to 1).',
    ),
  SIMULATOR_DUPLICATE_RATE: rate.default(0.1),
  SIMULATOR_REORDER_RATE: rate.default(0.1),
  SIMULATOR_LATE_RATE: rate.default(0),
  SIMULATOR_DROP_RATE: rate.default(0),
  SIMULATOR_SCENARIO: z
    .enum(scenarioNames)
    .default('everyday')
    .describe(
      'What the simulated warehouse is like: everyday; first-day, which has all at once that may surprise on the first day with a real one; or quiet-faults, in which it and the receiver lie in every way they know.',
    ),
  SIMULATOR_MANNERS: pairs(/^\w+=.+$/, 'wrapped=true,spelling=label').describe(
    'Ways of the simulated warehouse, over those of its scenario; npx dockline simulator --help lists them.',
  ),
};
