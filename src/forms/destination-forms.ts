import { z } from 'zod';
import { announcementTypes, subjectKinds } from '../domain/catalogue/subject.ts';
import { memberPaths } from '../domain/kinds/advice.ts';
import { details, type Extent } from '../domain/outgoing.ts';
import { matchesType } from '../domain/routing.ts';
import { readId } from '../domain/wire-values.ts';
import { isDistinct, recordsTokens } from './forms.ts';
import type { Rule } from './section.ts';

const CUSTOMER = /^[\w.-]{1,100}$/;

const EVERYBODY = /^(?:\*|all|any|everybody)$/i;

/** Suggests what was probably meant; undefined for an id that fits. */
export function problemOfCustomer(given: string): string | undefined {
  if (given.trim() === '') return 'must not be empty';
  if (EVERYBODY.test(given.trim())) return 'must be the id of a customer; leave customers out for all';
  const meant = given.replaceAll(/[^\w.-]/g, '').replace(/^0+(?=(?:0|[1-9]\d*)$)/, '');
  if (readId(given) === undefined || !CUSTOMER.test(meant)) return 'must be the id of a customer, such as 418';
  if (/[,;+\s]/.test(given.trim())) return 'must be one customer each, such as [418, 77]';
  return given === meant ? undefined : `must be ${meant}, without signs, blanks and zeros around it`;
}

/** An empty list would be everybody to some and nobody to others. */
export const customerIds = z
  .array(
    z.string('must be the id of a customer, such as 418').superRefine((given, { addIssue }) => {
      const message = problemOfCustomer(given);
      if (message !== undefined) addIssue({ code: 'custom', message });
    }),
    'must be a list',
  )
  .min(1, 'must name at least one, or be left out for all')
  .refine(isDistinct, 'must name each once');

export const filterForms = {
  kinds: z
    .array(z.enum(subjectKinds), 'must be a list')
    .optional()
    .describe('Kinds of subjects that it wants: `[order, receipt]`. Default: all.'),
  types: z
    .array(
      z.string().refine(namesType, 'names no type of announcements, such as order.packed or receipt.*'),
      'must be a list',
    )
    .optional()
    .describe(
      'Types that it wants (docs/events.md), without `dockline.`; `*` stands for any text: `[order.packed, receipt.*, "*.canceled"]`. Default: all.',
    ),
  customers: customerIds
    .optional()
    .describe(
      'Ids of the customers whose records it may get: `[418]`. Default: all, also while the customer is unknown.',
    ),
};

function namesType(pattern: string): boolean {
  return [...announcementTypes.keys()].some((type) => matchesType(pattern, type));
}

export const detailForms = {
  detail: z
    .enum(details)
    .default('full')
    .describe(
      'How much of each announcement the destination gets. `full`: all of it, unless it answers 413. `advice`: what the records say in plain words, and no records. `thin`: neither.',
    ),
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
  omit = [],
  recordsToken,
}: Extent & { readonly recordsToken?: readonly string[] | undefined }): Rule<'omit' | 'recordsToken'>[] => [
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
