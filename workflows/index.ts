import { workflowInfo } from '@temporalio/workflow';
import { subjectKinds } from '../src/domain/catalogue/subject.ts';
import type { SubjectInput } from './messages.ts';
import { follow } from './subject.ts';

export { reconcile } from './reconcile.ts';

/** Follows subjects of every kind; the kind is the workflow type, for people who search the Temporal UI. */
export default async function followAny(input: SubjectInput): Promise<void> {
  const { workflowType } = workflowInfo();
  // Only the workflow task fails, until a worker comes that knows the type.
  if (!subjectKinds.some((kind) => kind === workflowType)) throw new TypeError(`There is no workflow ${workflowType}`);
  await follow(input);
}
