export { awaitMilestone } from './await-milestone.ts';
export { reconcile } from './reconcile.ts';
export { refreshMany } from './refresh-many.ts';
/** One workflow follows subjects of every kind; the kind is the name of its type, for people who look for it in the Temporal UI. */
export {
  follow as adjustment,
  follow as assembly,
  follow as hold,
  follow as item,
  follow as order,
  follow as receipt,
  follow as stock,
} from './subject.ts';
