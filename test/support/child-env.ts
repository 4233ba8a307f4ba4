/** What every process that a test starts gets; compiled code is kept, since most of them load the whole service. */
export const childEnv = { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE };
