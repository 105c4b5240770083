import {
  type CatalogueEntry,
  catalogue,
  type Family,
  families,
  findEntry,
  normalizeName,
} from '../../domain/catalogue/catalogue.ts';
import type { Quarantined, QuarantineText } from '../../domain/quarantine.ts';
import { cut } from '../../domain/text.ts';
import { describeFamily, familiesOf } from './family.ts';
import type { Parts } from './parts.ts';

/** Catalogue names by normalized wire names (`ordershipped`), or by a family and such a name (`receipt/create`). */
export type Aliases = Readonly<Record<string, string>>;

/**
 * Finds the entry of an event by its wire name, or by its label if the message names the family; an alias wins. Otherwise returns the
 * reason of its quarantine, which names the alias that would take it.
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
  return findAlias(aliases, normalizeName(wireName)) ?? { quarantined: reasonFor(wireName, named, [...found]) };
}

function hasAlias(aliases: Aliases, wireName: string): boolean {
  const keys = Object.keys(aliases);
  // Almost always there are none, and every webhook asks.
  const name = keys.length > 0 ? normalizeName(wireName) : '';
  return keys.some((alias) => alias === name || alias.endsWith(`/${name}`));
}

/** Finds the entry of a name within a family. An alias without a family yields to the family's own label. */
function findIn(family: Family | undefined, wireName: string, aliases: Aliases): CatalogueEntry | undefined {
  const name = normalizeName(wireName);
  const general = findAlias(aliases, name);
  const isApt = family === undefined || general?.subject === family;
  return findAlias(aliases, `${family}/${name}`) ?? (isApt ? general : undefined) ?? findEntry(wireName, family);
}

const findAlias = (aliases: Aliases, key: string): CatalogueEntry | undefined =>
  Object.hasOwn(aliases, key) ? findEntry(aliases[key] as string) : undefined;

/** Longest name of an event that a reason quotes whole. */
const QUOTED = 60;

/** Explains in an operator's words why a name is not understood, with an alias to paste. */
function reasonFor(wireName: string, named: readonly Family[], found: readonly CatalogueEntry[]): QuarantineText {
  const reason: QuarantineText = `unknown event ${JSON.stringify(cut(wireName, QUOTED))}${describeNamed(named)}`;
  const spelling = /^[\w.-]+$/.test(wireName) ? wireName : normalizeName(wireName);
  if (spelling === '' || spelling.length > QUOTED) return reason;
  const [meant] = [...found, ...candidates(wireName, named)].map(({ name }) => name);
  const alias = named.length === 1 ? `${named[0]}/${spelling}` : spelling;
  return `${reason}; WEBHOOK_EVENT_ALIASES=${alias}=${meant} would take it as ${meant}`;
}

function describeNamed(named: readonly Family[]): string {
  if (named.length === 0) return ': the message names no family';
  const described = named.map(describeFamily).join(' and ');
  return named.length === 1 ? ` of ${described}` : `: the message names both ${described}`;
}

/** Returns events that an unknown name may mean, the most likely first; an update does the least harm if it means another. */
function candidates(wireName: string, named: readonly Family[]): readonly CatalogueEntry[] {
  const likely = named.length > 0 ? named : families;
  const labeled = likely.flatMap((family) => findEntry(wireName, family) ?? []);
  const others = catalogue.filter(({ subject }) => likely.includes(subject));
  return [...labeled, ...others.filter(({ milestone }) => milestone === 'updated'), ...others];
}
