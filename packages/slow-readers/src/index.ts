export { Delivery } from './delivery.ts';
export { SlowReaders } from './slow-readers.ts';
