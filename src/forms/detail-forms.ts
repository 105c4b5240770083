import { z } from 'zod';
import { details, type Extent } from '../domain/detail.ts';
import { recordsTokens } from './forms.ts';
import { count } from './numbers.ts';

/** Forms of the settings of how much a destination gets, and of the tokens with which its receiver fetches the rest. */
export const detailForms = {
  detail: z
    .enum(details)
    .default('full')
    .describe('How much of an announcement is sent: everything, no records (thin), or up to maxBytes (bounded).'),
  maxBytes: count.optional().describe('Limit of the detail bounded, in bytes.'),
  recordsToken: recordsTokens
    .optional()
    .describe('Token, or tokens, with which the receiver fetches what was left out.'),
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
