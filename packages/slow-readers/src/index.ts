export { Delivery } from './delivery.ts';
export { rememberedTime, SlowReaders } from './slow-readers.ts';
