import { z } from 'zod';
import { explained, names, text } from '../admin/queries.ts';
import type { Sources } from '../admin/views/view.ts';
import { type SubjectRef, subjectKey, subjectKinds } from '../domain/catalogue/subject.ts';
import { found } from '../http/problem.ts';
import { findSubject } from './views/subject/row.ts';

export const subjectParams = z.object({
  tenant: names.tenant.describe('Warehouse account.'),
  kind: z.enum(subjectKinds).describe('Kind of the subject.'),
  id: explained(text, 'Id that the warehouse gave it.', '31004581'),
});

/** @throws Problem 404 */
export async function findRef(deps: Pick<Sources, 'reads'>, params: SubjectRef): Promise<SubjectRef> {
  const { tenant, kind, id } = found(await findSubject(deps, params), 'The subject does not exist.');
  return { tenant, kind, id };
}

export const onSubject = (subject: SubjectRef) => ({ type: 'subject', id: subjectKey(subject) }) as const;

export const ofSubject = <const Verb extends string>(verb: Verb) =>
  ({
    path: `/subjects/{tenant}/{kind}/{id}/${verb}`,
    tag: 'Orders',
    params: subjectParams,
    find: findRef,
  }) as const;
