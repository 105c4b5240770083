import { isObject } from '../../base/json.ts';
import { kindOf, type SubjectRef } from '../../domain/catalogue/subject.ts';
import { advicePlaces, changedMembers, readAdvice } from '../../domain/kinds/advice.ts';
import { readOrderLineAdvice } from '../../domain/kinds/order/advice.ts';
import type { Places } from '../../domain/kinds/section.ts';
import type { Milestone } from '../../domain/lifecycle/milestone.ts';
import { dataIn } from './announced-data.ts';

/** Returns the advice of a record, as JSON texts both: of a subject, or of one line of an order, which is announced by itself. */
export type Advise = (
  subject: Pick<SubjectRef, 'tenant' | 'kind'>,
  record: string,
  isLine: boolean,
) => string | undefined;

export const createAdvise =
  (placesOf: (tenant: string) => Places = () => advicePlaces): Advise =>
  ({ tenant, kind }, record, isLine) => {
    const value = parsed(record);
    if (!isObject(value)) return undefined;
    const places = placesOf(tenant);
    return JSON.stringify(isLine ? readOrderLineAdvice(value, places) : readAdvice(kind, value, places));
  };

/** Undefined for what is no JSON. */
function parsed(record: string): unknown {
  try {
    return JSON.parse(record);
  } catch {
    return undefined;
  }
}

/** Changes of which an announcement names the members of its advice that differ from the one before. */
const compared: readonly Milestone[] = ['updated', 'confirmed'];

/** `newest` returns the body of the announcement before; undefined where they are not compared, and where that had no advice. */
export async function changedSince(
  { kind }: Pick<SubjectRef, 'kind'>,
  milestone: Milestone,
  advice: string | undefined,
  newest: () => Promise<string | undefined>,
): Promise<readonly string[] | undefined> {
  if (advice === undefined || !kindOf(kind).namesChanges || !compared.includes(milestone)) return undefined;
  const body = await newest();
  const before = body && dataIn({ body }).get('advice');
  return before ? changedMembers(JSON.parse(before), JSON.parse(advice)) : undefined;
}
