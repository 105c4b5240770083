import { type Reader, readerOf } from '../../base/json.ts';
import { readRouting } from '../../domain/catalogue/record-facts.ts';
import type { SubjectKind } from '../../domain/catalogue/subject.ts';
import type { DeadlineFacts } from '../../domain/deadlines/deadline.ts';
import { CREATED, datesOf, savedElementDate } from '../../domain/deadlines/rule.ts';
import { readText } from '../../domain/wire-values.ts';
import { factReader, readIdentifier } from './resource.ts';

/** Reads the facts of a record that decide when it is due. Any of them may be missing. */
export function readDeadlineFacts(
  kind: SubjectKind,
  record: unknown,
): Pick<DeadlineFacts, 'facilityId' | 'carrier' | 'service' | 'dates'> {
  const read = readerOf(record);
  const fact = factReader(read);
  return {
    facilityId: readIdentifier(fact, 'facilityidentifier').id,
    ...readRouting(read),
    dates: Object.fromEntries([...savedElementsIn(read), ...datesIn(kind, fact)]),
  };
}

/** A longer text is no date. */
const LONGEST_DATE = 40;

const readDate = (value: unknown): string | undefined => {
  const text = readText(value);
  return text !== undefined && text.length <= LONGEST_DATE ? text : undefined;
};

const datesIn = (kind: SubjectKind, fact: Reader): [string, string | undefined][] =>
  datesOf(kind).map((name) => [name, readDate(fact(name === CREATED ? 'creationdate' : name.toLowerCase()))]);

/** Of several elements of one name, the first with a value that may be a date counts. */
function savedElementsIn(read: Reader): [string, string][] {
  const elements = read('savedelements');
  if (!Array.isArray(elements)) return [];
  return elements.toReversed().flatMap((element): [string, string][] => {
    const member = readerOf(element);
    const name = readText(member('name'));
    const date = readDate(member('value'));
    return name === undefined || date === undefined ? [] : [[savedElementDate(name), date]];
  });
}
