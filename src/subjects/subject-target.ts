import type { Sources } from '../admin/views/view.ts';
import { type SubjectRef, subjectKey } from '../domain/catalogue/subject.ts';
import { found } from '../http/problem.ts';
import { findSubject } from './views/subject/row.ts';

/** Adds nothing to the history of the workflow. @throws Problem 404 */
export async function findRef(deps: Pick<Sources, 'reads'>, params: SubjectRef): Promise<SubjectRef> {
  const { tenant, kind, id } = found(await findSubject(deps, params), 'The subject does not exist.');
  return { tenant, kind, id };
}

export const onSubject = (subject: SubjectRef) => ({ type: 'subject', id: subjectKey(subject) }) as const;
