export { reconcile } from './reconcile.ts';
export { adjustment, assembly, hold, item, order, receipt, stock } from './subjects.ts';
