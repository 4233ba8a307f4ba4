export { AllowedTargets, parseNetwork } from './allowed-targets.ts';
export {
  createEndpointClient,
  type EndpointAnswer,
  type EndpointClientOptions,
  type EndpointRequest,
  type SendToEndpoint,
} from './endpoint-client.ts';
export { isPublicAddress } from './public-address.ts';
export { entryThatAllows, targetFault } from './target-fault.ts';
