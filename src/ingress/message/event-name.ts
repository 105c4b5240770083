import { cut } from '../../base/text.ts';
import { type CatalogueEntry, type Family, findEntry, normalizeName } from '../../domain/catalogue/catalogue.ts';
import { type EventName, IGNORE, LONGEST_NAME, nameKey, type Quarantined } from '../../domain/quarantine.ts';
import { familiesOf } from './family.ts';
import type { Parts } from './parts.ts';

/** Catalogue names, or `ignore`, by normalized wire name (`ordershipped`), or family and label (`receipt/create`). */
export type Aliases = Readonly<Record<string, string>>;

/**
 * Finds an event by its wire name, or by its label if the message names the family; an alias wins. Otherwise returns
 * the reason of its quarantine.
 */
export function findEvent(wireName: string, parts: Parts, aliases: Aliases): CatalogueEntry | Quarantined {
  const exact = findEntry(wireName);
  if (exact && !hasAlias(aliases, wireName)) return exact;
  const named = familiesOf(parts);
  const found = new Set(
    (named.length > 0 ? named : [undefined]).flatMap((family) => findIn(family, wireName, aliases) ?? []),
  );
  const [entry, ...others] = found;
  if (entry && others.length === 0) return entry;
  const general = findAlias(aliases, normalizeName(wireName));
  const code = isIgnored(wireName, named, aliases) ? 'ignoredName' : 'unknownName';
  return general ?? { quarantined: { code, name: cut(wireName, LONGEST_NAME), families: named } };
}

/** By alias or catalogue, without names that people accepted. */
export const findMeaning = ({ name, family }: EventName, aliases: Aliases): string | undefined =>
  isIgnored(name, family ? [family] : [], aliases) ? IGNORE : findIn(family, name, aliases)?.name;

function isIgnored(name: string, named: readonly Family[], aliases: Aliases): boolean {
  const keys = [...named.map((family) => nameKey({ name, family })), nameKey({ name, family: undefined })];
  return keys.some((key) => Object.hasOwn(aliases, key) && aliases[key] === IGNORE);
}

function hasAlias(aliases: Aliases, wireName: string): boolean {
  const keys = Object.keys(aliases);
  // Almost always there are none, and every webhook asks.
  const name = keys.length > 0 ? normalizeName(wireName) : '';
  return keys.some((alias) => alias === name || alias.endsWith(`/${name}`));
}

/** An alias without a family yields to the family's own label. */
function findIn(family: Family | undefined, wireName: string, aliases: Aliases): CatalogueEntry | undefined {
  const name = normalizeName(wireName);
  const general = findAlias(aliases, name);
  const isApt = family === undefined || general?.subject === family;
  return findAlias(aliases, `${family}/${name}`) ?? (isApt ? general : undefined) ?? findEntry(wireName, family);
}

const findAlias = (aliases: Aliases, key: string): CatalogueEntry | undefined =>
  Object.hasOwn(aliases, key) ? findEntry(aliases[key] as string) : undefined;
