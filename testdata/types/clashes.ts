// Made by `metactl types`. Do not edit: make it again when the CustomResourceDefinition changes.
// Web of example.com: v1
// Web of other.example.com: v1
// WebSpec of example.com: v1
// KubeObject of example.com: v1
// Metadata of example.com: v1

import type { KubeObject, Metadata } from 'metactl';

export interface Web {
  apiVersion: 'example.com/v1';
  kind: 'Web';
  metadata: Metadata;
  spec?: WebSpec;
}

export interface WebSpec {
  'a-b'?: WebSpecAB;
  aB?: WebSpecAB2;
}

export interface WebSpecAB {
  c?: string;
}

export interface WebSpecAB2 {
  d?: string;
}

export interface Web2 {
  apiVersion: 'other.example.com/v1';
  kind: 'Web';
  metadata: Metadata;
  spec?: Web2Spec;
}

export interface Web2Spec {
  a?: string;
}

export interface WebSpec2 {
  apiVersion: 'example.com/v1';
  kind: 'WebSpec';
  metadata: Metadata;
  spec?: WebSpec2Spec;
}

export interface WebSpec2Spec {
  a?: string;
}

export interface KubeObject2 {
  apiVersion: 'example.com/v1';
  kind: 'KubeObject';
  metadata: Metadata;
}

export interface Metadata2 {
  apiVersion: 'example.com/v1';
  kind: 'Metadata';
  metadata: Metadata;
  a?: KubeObject;
}
