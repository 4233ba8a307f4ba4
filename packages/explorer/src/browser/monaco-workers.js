/** Lets Monaco load its workers from the service, under the names that the page gives. */
export function registerWorkers({ assets, workers }) {
  globalThis.MonacoEnvironment = {
    getWorker: (_id, label) => new Worker(assets + (workers[label] ?? workers.editor)),
  };
}
