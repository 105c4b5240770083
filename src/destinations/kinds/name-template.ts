import { z } from 'zod';
import { placeholdersOf } from '../../domain/catalogue/paths.ts';
import type { SubjectRef } from '../../domain/catalogue/subject.ts';
import { DocklineError } from '../../domain/errors.ts';
import type { Snapshot } from '../../domain/lifecycle/snapshot.ts';
import type { Announcement } from '../../domain/outgoing.ts';
import { dataIn } from '../announcements/announced-data.ts';

/** Facts of an announcement that names may contain. */
interface NamedFacts extends SubjectRef {
  readonly milestone: string;
  readonly snapshot: Snapshot;
}

/** Placeholders of a template, each with its value. */
const placeholders = {
  tenant: ({ tenant }) => tenant,
  kind: ({ kind }) => kind,
  id: ({ id }) => id,
  milestone: ({ milestone }) => milestone,
  referenceNumber: ({ snapshot }) => snapshot.referenceNumber,
  customer: ({ snapshot }) => snapshot.customerId,
  facility: ({ snapshot }) => snapshot.facilityId,
} as const satisfies Record<string, (facts: NamedFacts) => string | undefined>;

const known = Object.keys(placeholders);

/** Placeholders as a template has them. */
export const placeholderNames: readonly string[] = known.map((name) => `{${name}}`);

/** Form of a name with placeholders in braces, such as `fulfillment-{referenceNumber}`. */
export const nameTemplate = z
  .string()
  .regex(/^[^{}\p{Cc}]*(\{\w+\}[^{}\p{Cc}]*)*$/u, 'must be a name, in which braces contain a placeholder')
  .min(1, 'must not be empty')
  .max(200, 'must have at most 200 characters')
  .refine(
    (template) => placeholdersOf(template).every((name) => known.includes(name)),
    `must have no placeholders but ${placeholderNames.join(', ')}`,
  );

/** Reads the facts that names may contain. */
export function namedFacts(announcement: Pick<Announcement, 'body'>): NamedFacts {
  const data = dataIn(announcement);
  const read = (member: string) => JSON.parse(data.get(member) ?? 'null');
  return {
    tenant: read('tenant'),
    kind: read('kind'),
    id: read('id'),
    milestone: read('milestone'),
    snapshot: read('after') ?? read('snapshot') ?? {},
  };
}

/** Fills a template. Fails with `ERR_DESTINATION_REFUSED` if the announcement lacks a value of it. */
export function fillName(template: string, facts: NamedFacts): string {
  return template.replaceAll(/\{(\w+)\}/g, (placeholder, name: keyof typeof placeholders) => {
    const value = placeholders[name](facts);
    if (value) return value;
    throw new DocklineError(
      'ERR_DESTINATION_REFUSED',
      `${template} needs ${placeholder}, which is not known of this ${facts.kind}`,
    );
  });
}
