import { z } from 'zod';
import { memberPaths } from '../domain/kinds/advice.ts';
import { details, type Extent } from '../domain/outgoing.ts';
import { recordsTokens } from './forms.ts';
import { count } from './numbers.ts';
import type { Rule } from './section.ts';

export const detailForms = {
  detail: z
    .enum(details)
    .default('full')
    .describe(
      'How much of each announcement the destination gets. `full`: all of it, unless it answers 413. `bounded`: all of it up to `maxBytes`, and above that without its largest records. `advice`: what the records say in plain words, and no records. `thin`: neither.',
    ),
  maxBytes: count.optional().describe('Limit of the detail `bounded` in bytes, which needs one; the others refuse it.'),
  omit: z
    .array(
      z.string().refine((path) => memberPaths.has(path), 'names no member of an advice, such as shipTo.phone'),
      'must be a list',
    )
    .optional()
    .describe(
      'Members that are left out of the advice: `[shipTo.phone, shipTo.email, charges]`. Needs the detail `advice`, and no `recordsToken`, since records have all of it.',
    ),
  recordsToken: recordsTokens
    .optional()
    .describe(
      'Token of at least 16 characters with which the receiver fetches what was left out (docs/receiving.md), or several while one is replaced. It shows nothing but the records of announcements that go to this destination. Without one they cannot be fetched.',
    ),
};

export const findDetailProblems = ({
  detail,
  maxBytes,
  omit = [],
  recordsToken,
}: Extent & { readonly recordsToken?: readonly string[] | undefined }): Rule<
  'maxBytes' | 'omit' | 'recordsToken'
>[] => [
  [detail === 'bounded' && maxBytes === undefined, 'maxBytes', 'is required with the detail bounded, as its limit'],
  [
    detail !== 'bounded' && maxBytes !== undefined,
    'maxBytes',
    'is the limit of the detail bounded alone; set that detail, or leave the limit out',
  ],
  [
    omit.length > 0 && detail !== 'advice',
    'omit',
    detail === 'thin'
      ? 'leaves members out of the advice, which the detail thin has none of'
      : 'needs the detail advice: the records that the others have show the same',
  ],
  [
    omit.length > 0 && recordsToken !== undefined,
    'recordsToken',
    'fetches records, which show what omit leaves out; leave out one of them',
  ],
];
