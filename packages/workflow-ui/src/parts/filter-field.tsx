export { FilterField, type FilterFieldProps } from '@weir/ui-app';
