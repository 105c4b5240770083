import { z } from 'zod';
import { subjectKinds } from '../../../domain/catalogue/subject.ts';
import { attentions } from '../../../domain/lifecycle/attention.ts';
import { stages } from '../../../domain/lifecycle/stage.ts';

/** Rows of a page. */
export const ROWS = 50;

/** Page of a list. */
export interface ListPage<Row> {
  readonly rows: readonly Row[];
  /** Address of the following page; null if there is none. */
  readonly next: string | null;
  /** Number of rows on all pages, if this is the only one. */
  readonly total: number | undefined;
}

/** Describes a page of a list. A full page may be followed by another, whose address names the last row. */
export function listPage<Row>(
  rows: readonly Row[],
  isFirst: boolean,
  addressAfter: (last: Row) => string,
): ListPage<Row> {
  const last = rows.length < ROWS ? undefined : rows.at(-1);
  const next = last === undefined ? null : addressAfter(last);
  return { rows, next, total: isFirst && next === null ? rows.length : undefined };
}

const text = z.string().trim().max(300);

/** Field of a form, which browsers send empty if nothing was chosen. */
export const field = <T extends z.ZodType>(form: T) =>
  z.preprocess((value) => (typeof value === 'string' && value.trim() === '' ? undefined : value), form.optional());

/** Number of a row. */
const position = z.coerce.number('must be a whole number').int();

const place = { error: 'must be that of a link to the next page' };

/** Place in a list of subjects: time, then tenant, kind and id. */
const subjectPlace = z
  .string()
  .max(500)
  .transform((value, context) => {
    const [since, tenant, kind, ...id] = value.split('~');
    const parsed = z
      .object({ stageSince: z.coerce.number().int(), kind: z.enum(subjectKinds) })
      .safeParse({ stageSince: since, kind });
    if (parsed.success && tenant !== undefined && id.length > 0) return { ...parsed.data, tenant, id: id.join('~') };
    context.addIssue({ code: 'custom', message: place.error });
    return z.NEVER;
  });

/** Query of a list of subjects. */
export const subjectsQuery = z.object({
  kind: field(z.enum(subjectKinds)),
  stage: field(z.enum(stages)),
  attention: field(z.enum(['any', ...attentions])),
  group: field(z.string().max(300)),
  customer: field(text),
  tenant: field(text),
  after: subjectPlace.optional(),
});

/** Query of the search. */
export const searchQuery = z.object({ q: text.default('') });

/** Query of a page that an action returns to. */
export const doneQuery = z.object({ done: z.string().max(40).optional() });

/** Query of a list whose pages begin after a number. */
export const pageQuery = z.object({ after: position.positive().optional() });
