import { describeInferenceEngine } from './inference-engine.contract';

describeInferenceEngine('sglang');
describeInferenceEngine('vllm');
describeInferenceEngine('vllm-generate');
describeInferenceEngine('llama-cpp');
