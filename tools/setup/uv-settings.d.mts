export declare function uvSettings(list: string): Readonly<Record<string, string>>;
