export declare function isSuiteModule(file: string): boolean;
