export const languageJson = (language: string) => `json_build_object(
    'id', ${language}.id,
    'name', ${language}.name,
    'extension', ${language}.extension,
    'version', ${language}.version)`
