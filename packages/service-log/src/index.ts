export { plainLine } from './plain-line.ts';
export { createLog, type ServiceLog } from './service-log.ts';
