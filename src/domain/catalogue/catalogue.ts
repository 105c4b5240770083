import type { EventRow, FamilyRow } from '../kinds/kind.ts';
import { families as rows } from '../kinds/kinds.ts';
import type { Operation } from './operation.ts';
import type { SubjectKind } from './subject.ts';

/** Events by what they are about; those of an order item belong to its order. */
export type Family = keyof typeof rows;

export const familyOf = (family: Family): FamilyRow => rows[family];

export const families = Object.keys(rows) as readonly Family[];

export const subjectOf = (family: Family): SubjectKind => (familyOf(family).partOf ?? family) as SubjectKind;

/** By any of its names: `receipt`, `Receiver`, `order item`. */
export function findFamily(name: string): Family | undefined {
  const word = normalizeName(name);
  return families.find((family) => familyOf(family).words.includes(word));
}

export interface CatalogueEntry extends EventRow {
  readonly subject: Family;
  readonly retrieves: readonly Operation[];
}

type Events = readonly (EventRow & Pick<CatalogueEntry, 'retrieves'>)[];

export const catalogue: readonly CatalogueEntry[] = families.flatMap((subject) =>
  (rows[subject].events as Events).map((row) => ({
    ...row,
    subject,
    aliases: [...row.aliases, ...labelsOf(subject, row)],
  })),
);

function labelsOf(family: Family, { label, name }: EventRow): readonly string[] {
  if (label === name) return [];
  const spellings = familyOf(family).words.map((word) => word + normalizeName(label));
  return spellings.filter((spelling) => spelling !== normalizeName(name));
}

export function normalizeName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

const byName = new Map(
  catalogue.flatMap((entry) => [normalizeName(entry.name), ...entry.aliases].map((name) => [name, entry] as const)),
);

/** In any spelling; within a family, also by its label alone. */
export function findEntry(wireName: string, family?: Family): CatalogueEntry | undefined {
  const name = normalizeName(wireName);
  return (
    byName.get(name) ??
    (family &&
      familyOf(family)
        .words.map((word) => byName.get(word + name))
        .find(Boolean))
  );
}
