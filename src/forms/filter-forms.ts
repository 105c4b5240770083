import { z } from 'zod';
import { announcementTypes, subjectKinds } from '../domain/catalogue/subject.ts';
import { matchesType } from '../domain/routing.ts';
import { readId } from '../domain/wire-values.ts';
import { isDistinct } from './forms.ts';

const CUSTOMER = /^[\w.-]{1,100}$/;

/** Words that are meant for all customers. */
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
