export { useFailureProps, useSentence } from '@weir/ui-app';
