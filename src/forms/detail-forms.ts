import { z } from 'zod';
import { details, type Extent } from '../domain/detail.ts';
import { recordsTokens } from './forms.ts';
import { count } from './numbers.ts';

/** Forms of the settings of how much a destination gets, and of the tokens with which its receiver fetches the rest. */
export const detailForms = {
  detail: z
    .enum(details)
    .default('full')
    .describe(
      'How much of each announcement the destination gets. `full`: all of it, unless it answers 413. `bounded`: all of it up to `maxBytes`, and above that without its largest records. `thin`: no records at all.',
    ),
  maxBytes: count.optional().describe('Limit of the detail `bounded` in bytes, which needs one; the others refuse it.'),
  recordsToken: recordsTokens
    .optional()
    .describe(
      'Token of at least 16 characters with which the receiver fetches what was left out (docs/receiving.md), or several while one is replaced. It shows nothing but the records of announcements that go to this destination. Without one they cannot be fetched.',
    ),
};

/** Returns the rules that the detail and its limit have to keep together. */
export const findDetailProblems = ({
  detail,
  maxBytes,
}: Extent): [isBroken: boolean, key: 'maxBytes', problem: string][] => [
  [detail === 'bounded' && maxBytes === undefined, 'maxBytes', 'is required with the detail bounded, as its limit'],
  [
    detail !== 'bounded' && maxBytes !== undefined,
    'maxBytes',
    'is the limit of the detail bounded alone; set that detail, or leave the limit out',
  ],
];
