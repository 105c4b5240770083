export { order } from './order.ts';
