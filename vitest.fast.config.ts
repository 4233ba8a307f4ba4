import base from './vitest.config.ts';

// the inner loop: all that needs no database, and of both faces what most changes touch
const include = [
  'test/*.test.ts',
  'test/unit/*.test.ts',
  'test/parity/{errors,order-of-checks,own-lists,statements,subscriptions,visibility,walks}.test.ts',
  'test/graphql/{access,errors,events,event-mutations,http,nodes,schema,where}.test.ts',
  'test/rest/{audit,auth-me,counts,declared-answers,event-writes,events,openapi,pipeline,subscriptions}.test.ts',
];

export default { ...base, test: { ...base.test, projects: undefined, name: 'service', isolate: false, include } };
