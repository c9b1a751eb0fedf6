-- CreateTable
CREATE TABLE "StoredSecret" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "workspace" TEXT NOT NULL,
    "ref" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "currentVersion" INTEGER NOT NULL,
    "isDisabled" BOOLEAN NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL,
    "lastResolvedAt" DATETIME,
    "lastRotatedAt" DATETIME
);

-- CreateTable
CREATE TABLE "StoredSecretVersion" (
    "secretId" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "keyId" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "createdBy" TEXT NOT NULL,

    PRIMARY KEY ("secretId", "number"),
    CONSTRAINT "StoredSecretVersion_secretId_fkey" FOREIGN KEY ("secretId") REFERENCES "StoredSecret" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE UNIQUE INDEX "stored_secret_workspace_ref_key" ON "StoredSecret"("workspace", "ref");
