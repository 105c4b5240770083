import { isObject } from '../../base/json.ts';
import { kindOf, type SubjectRef } from '../../domain/catalogue/subject.ts';
import { advicePlaces, changedMembers, readAdvice } from '../../domain/kinds/advice.ts';
import { readOrderLineAdvice } from '../../domain/kinds/order/advice.ts';
import type { Places } from '../../domain/kinds/section.ts';
import type { Milestone } from '../../domain/lifecycle/milestone.ts';
import { dataIn } from './announced-data.ts';

/** Of a subject, or of one line of an order, which is announced by itself. JSON texts both. */
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

function parsed(record: string): unknown {
  try {
    return JSON.parse(record);
  } catch {
    return undefined;
  }
}

/** Of these an announcement names the changed members of its advice. */
const compared: readonly Milestone[] = ['updated', 'confirmed'];

/** `newest` reads the body of the announcement before. Undefined where they are not compared, or that had no advice. */
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
