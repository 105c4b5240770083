export { adjustment, assembly, order, receipt } from './subjects.ts';
