import { type Family, families, findEntry, findFamily, normalizeName } from '../../domain/catalogue/catalogue.ts';
import { IGNORE } from '../../domain/quarantine.ts';
import { isDistinct, pairs } from '../../forms/forms.ts';

/** `OrderShipped=OrderConfirm` or, for one family, `receipt/Create=ReceiptCreate`. */
export const eventAliases = pairs(/^[^=A-Za-z0-9]*[A-Za-z0-9][^=]*=[^=]+$/, 'OrderShipped=OrderConfirm').transform(
  (given, { addIssue }) => {
    const refuse = (message: string) => addIssue({ code: 'custom', message });
    const aliases = given.map(([wireName, name]) => readAlias(wireName, name, refuse));
    if (!isDistinct(aliases.map(([key]) => key))) refuse('must not give one name two events');
    return Object.fromEntries(aliases);
  },
);

function readAlias(wireName: string, name: string, refuse: (message: string) => void): [key: string, name: string] {
  const [, word, ownName = wireName] = /^([^/]*)\/(.*)$/s.exec(wireName) ?? [];
  const family = word === undefined ? undefined : findFamily(word);
  if (word !== undefined && !family) refuse(`must name one of these before the "/": ${families.join(', ')}`);
  const key = normalizeName(ownName);
  return [family ? `${family}/${key}` : key, readName(name, family, refuse)];
}

function readName(name: string, family: Family | undefined, refuse: (message: string) => void): string {
  if (name === IGNORE) return IGNORE;
  const entry = findEntry(name, family);
  if (!entry) refuse('must map to names in the catalogue, or to "ignore"');
  else if (family && entry.subject !== family) refuse("must not give a family's name to another family's event");
  return entry?.name ?? '';
}
